/** Is a number a multiple of another (above 0)? Of the decimal numbers that they are written as: 4.35 is one of 0.01. */
export function isMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  if (!Number.isFinite(value) || !Number.isFinite(factor)) return false;
  const [a, b] = [decimal(value), decimal(factor)];
  const shift = Math.min(a.exponent, b.exponent);
  return scaled(a, shift) % scaled(b, shift) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  /** Of ten. */
  readonly exponent: number;
}

/** A double has some 17 digits, and an exponent between -324 and 308. */
function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, shift: number): bigint {
  return digits * 10n ** BigInt(exponent - shift);
}
