/** Chromium for tests of pages. Missing: tests are skipped, unless everything is required to run. */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const executablePath = candidates.find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** Whether tests in a browser are to be skipped here. */
export const withoutBrowser: boolean =
  executablePath === undefined && process.env["CALLCHART_REQUIRE_ALL"] !== "1";

/** Starts Chromium without anything that would reach for the network. */
export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("Chromium is not installed.");
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page on disk. */
export interface PageFile {
  readonly url: string;
  readonly remove: () => void;
}

/** Writes a page to a folder of its own. */
export function writePage(html: string): PageFile {
  const folder = mkdtempSync(join(tmpdir(), "callchart-page-"));
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  return { url: pathToFileURL(file).href, remove: () => rmSync(folder, { recursive: true }) };
}

/** What a page did that it should not: messages on the console, errors, requests beyond its own file. */
export function watchPage(page: Page): string[] {
  const seen: string[] = [];
  page.on("console", (message) => seen.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") || request.resourceType() !== "document")
      seen.push(`request: ${request.url()}`);
  });
  return seen;
}
