#!/usr/bin/env node
import { processIo } from "./io.ts";
import { program } from "./program.ts";

const code = await program(process.argv.slice(2), processIo());
// Tools that could not be stopped may hold the process; their calls have their results.
process.exit(code);
