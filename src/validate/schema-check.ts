import type { ErrorObject } from "ajv";
import type { ArgumentFault, ArgumentRepair, Json } from "../../machines/index.ts";
import type { SchemaValidator } from "./dialect/index.ts";
import { toFaults } from "./explain/explain.ts";
import { type RepairMode, repairData } from "./repair/index.ts";

/** Every fault of plain data, in words (at most 50); `[]` when it is valid. Total. */
export type Check = (data: Json) => readonly ArgumentFault[];

/** Mends faulty data as far as the mode goes, on a copy, and tells the faults that are left. Total. */
export type Repair = (data: Json, options: RepairOptions) => RepairedData;

/** How data is mended. */
export interface RepairOptions {
  readonly mode: RepairMode;
  /** Is this the name of the tool whose arguments these are? Then a whole call of it can be unwrapped. */
  readonly isTool?: (name: string) => boolean;
}

/** Data after mending. */
export interface RepairedData {
  readonly data: Json;
  readonly repairs: readonly ArgumentRepair[];
  readonly faults: readonly ArgumentFault[];
}

const NONE: readonly ArgumentFault[] = [];

/** The two things that are done with data by a compiled schema. `root` is what the data is called in messages. */
export function toSchemaCheck(
  validator: SchemaValidator,
  root: string,
): { readonly check: Check; readonly repair: Repair } {
  const explain = (errors: readonly ErrorObject[], data: Json): readonly ArgumentFault[] =>
    toFaults(errors, data, { root, schema: validator.schema });
  return {
    check: (data) =>
      validator.first(data).length === 0 ? NONE : explain(validator.all(data), data),
    repair(given, options) {
      const { data, repairs, errors } = repairData({
        data: given,
        errorsOf: validator.all,
        root,
        ...options,
      });
      return { data, repairs, faults: errors.length === 0 ? NONE : explain(errors, data) };
    },
  };
}
