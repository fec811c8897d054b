import { type Adapted, adaptSchema } from "./adapt/adapt.ts";
import { type CompileOptions, SchemaError, type SchemaFault } from "./contract.ts";
import { faultyReferences } from "./link/check-refs.ts";
import { createLinker } from "./link/linker.ts";

/** Reads a schema and all that it refers to. @throws SchemaError for what has no safe meaning */
export function readSchema(given: unknown, options: CompileOptions): Adapted {
  try {
    const adapted = adaptSchema(given, options);
    throwFaults(adapted.walk.faults);
    if (adapted.walk.refs.length > 0) {
      throwFaults(faultyReferences(createLinker(adapted, options)));
    }
    return adapted;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new SchemaError([
      { path: "", reason: "is nested too deep, or too large, to be compiled" },
    ]);
  }
}

function throwFaults(faults: readonly SchemaFault[]): void {
  if (faults.length > 0) throw new SchemaError(faults);
}
