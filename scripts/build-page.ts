/** `npm run build:page`: makes the generated files of the visualizer. */
import { writeFile } from "node:fs/promises";
import { bundlePage } from "./bundle-page.ts";

for (const { file, text } of await bundlePage()) {
  await writeFile(file, text);
  console.log(`${file.pathname}: ${text.length} characters`);
}
