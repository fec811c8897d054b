export {
  type CompileOptions,
  type Dialect,
  type SchemaChange,
  SchemaError,
  type SchemaFault,
  type SchemaValidator,
} from "./contract.ts";
export { compileValidator } from "./validator.ts";
