export { fold, isSecretKey } from "../secret-keys.ts";
