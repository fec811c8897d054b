import type { CallRecord, LateRecord, TraceRecord } from "../machines/contract.ts";
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH, PAGE_STYLE, PAGE_STYLE_HASH } from "./page-bundle.ts";

/** A recording as it was read, or what a sink has collected. */
export interface PageRecording {
  readonly records: readonly CallRecord[];
  /** Outcomes that came after their calls had ended. Default: none. */
  readonly lates?: readonly LateRecord[];
  /** What could not be read; the page says so. Default: nothing. */
  readonly problems?: readonly string[];
}

/** How a page is made. */
export interface PageOptions {
  /** The page's heading. Default `Tool calls`. */
  readonly title?: string;
}

/**
 * Makes one HTML page of recorded calls, which needs nothing else: no network, no server, no other file. All that comes
 * from calls is data in it, never markup or script, and its policy allows no script but its own.
 *
 * @throws RangeError when the recording is too large for one text (about 500 MB)
 */
export function renderPage(
  recording: PageRecording | readonly TraceRecord[],
  { title = "Tool calls" }: PageOptions = {},
): string {
  const { records, lates = [], problems = [] } = isList(recording) ? sortOut(recording) : recording;
  const data = { title, records, lates, problems };
  const policy = [
    "default-src 'none'",
    `script-src '${PAGE_SCRIPT_HASH}'`,
    `style-src '${PAGE_STYLE_HASH}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="callchart">
<title>${escapeText(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${SKELETON}
<script type="application/json" id="recording">${escapeJson(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function isList(
  recording: PageRecording | readonly TraceRecord[],
): recording is readonly TraceRecord[] {
  return Array.isArray(recording);
}

function sortOut(list: readonly TraceRecord[]): PageRecording {
  return {
    records: list.filter((record) => record.type === "call"),
    lates: list.filter((record) => record.type === "late"),
  };
}

/** The parts of the page that its script fills. */
const SKELETON = `<header class="page-head">
<h1 id="title"></h1>
<dl id="summary"></dl>
<button type="button" id="theme" class="button"></button>
</header>
<details id="problems" hidden></details>
<noscript><p>This page shows a recording by its own script. Please allow it to run.</p></noscript>
<main>
<section class="list" aria-label="Calls">
<div id="toolbar" role="search"></div>
<div id="rows" role="region" aria-label="Table of calls" tabindex="0"></div>
<p id="none" hidden></p>
<p class="hint"><kbd>j</kbd> <kbd>k</kbd> calls · <kbd>←</kbd> <kbd>→</kbd> steps · <kbd>/</kbd> search · <kbd>Enter</kbd> open</p>
</section>
<section id="detail" aria-label="The chosen call" tabindex="0"></section>
</main>`;

/** JSON as the text of a script element: nothing in it can end the element, open a comment or end a line of script. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
