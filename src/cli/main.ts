#!/usr/bin/env node
import { EXIT } from "./exit.ts";
import { isBrokenPipe, processIo } from "./io.ts";
import { program } from "./program.ts";

// A reader that went away must end the program quietly, whoever was writing at that moment.
process.stdout.on("error", (error) => {
  if (isBrokenPipe(error)) process.exit(EXIT.brokenPipe);
  throw error;
});

const code = await program(process.argv.slice(2), processIo());
// Tools that could not be stopped may hold the process; their calls have their results.
process.exit(code);
