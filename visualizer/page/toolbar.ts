import type { PageCall } from "./calls.ts";
import { byId, h } from "./dom.ts";
import { countBy, type Query } from "./find-calls.ts";
import { formatCount, plural, visible } from "./format.ts";

/** What stands above the list. */
export interface Toolbar {
  readonly told: (shown: number) => void;
  readonly focusSearch: () => void;
}

type Filters = Pick<Query, "text" | "tool" | "outcome">;

/** Fills the filters with what the recording has. `change` gets all of them whenever one changes. */
export function createToolbar(
  calls: readonly PageCall[],
  change: (filters: Filters) => void,
): Toolbar {
  const search = h("input", {
    type: "search",
    placeholder: "Search calls",
    "aria-label": "Search calls",
    "aria-keyshortcuts": "/",
  });
  const tool = choice("Tool", [["", "All tools"], ...options(countBy(calls, (call) => call.tool))]);
  const outcome = choice("Outcome", [
    ["", "All outcomes"],
    ...options(countBy(calls, ({ success }) => (success ? "succeeded" : "failed"))),
    ...options(countBy(calls, ({ code }) => code)),
  ]);
  const count = h("output", { class: "count" });
  const read = (): void =>
    change({
      text: search.value,
      // An empty name is a tool's as well (a call that could not be taken in): options are told by their place.
      ...(tool.selectedIndex > 0 ? { tool: tool.value } : {}),
      ...(outcome.selectedIndex > 0 ? { outcome: outcome.value } : {}),
    });
  search.addEventListener("input", read);
  tool.addEventListener("change", read);
  outcome.addEventListener("change", read);
  byId("toolbar").replaceChildren(search, tool, outcome, count);
  return {
    told(shown) {
      count.textContent =
        shown === calls.length
          ? plural(shown, "call")
          : `${formatCount(shown)} of ${plural(calls.length, "call")}`;
    },
    focusSearch() {
      search.focus();
      search.select();
    },
  };
}

type Option = readonly [value: string, text: string];

function options(counts: readonly (readonly [string, number])[]): readonly Option[] {
  return counts.map(([key, count]) => [
    key,
    `${visible(key) || "(no name)"} (${formatCount(count)})`,
  ]);
}

function choice(label: string, list: readonly Option[]): HTMLSelectElement {
  return h(
    "select",
    { "aria-label": label },
    ...list.map(([value, text]) => h("option", { value }, text)),
  );
}
