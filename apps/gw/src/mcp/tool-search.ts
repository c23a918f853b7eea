import type { Tool } from '../agent/types/index.ts';
import * as s from '../schema/index.ts';
import { defineTool } from '../tools/define.ts';

/** With more tools of servers than these, the model searches for them: their schemas would fill every call. */
const MOST_TOOLS = 40;
const MOST_FOUND = 10;
/** Characters of the names in the description. */
const MOST_NAMES = 6000;

/** Hides the tools of servers behind a search where they are many. Those that were found stay, for the session. */
export function createToolSearch() {
  const found = new Set<string>();
  return {
    offer(tools: readonly Tool[]): readonly Tool[] {
      if (tools.length <= MOST_TOOLS) return tools;
      return [searchTool(tools, found), ...tools.map((tool) => ({ ...tool, isHidden: () => !found.has(tool.name) }))];
    },
  };
}

function searchTool(tools: readonly Tool[], found: Set<string>): Tool {
  const names = tools.map(({ name }) => name).join(', ');
  return defineTool({
    name: 'ToolSearch',
    description: `Finds tools of MCP servers by words of their names and descriptions. What it finds can be called from then on. There are ${tools.length}: ${names.slice(0, MOST_NAMES)}${names.length > MOST_NAMES ? ', …' : ''}`,
    schema: s.object({
      query: s.string({ min: 1 }).describe('Words, such as: github issue create. Or the name of a tool.'),
    }),
    effect: 'none',
    target: ({ query }) => ({ kind: 'command', value: query }),
    run({ query }) {
      const best = search(tools, query);
      for (const { name } of best) found.add(name);
      const content =
        best.length === 0
          ? `No tool fits ${JSON.stringify(query)}. Try other words.`
          : best
              .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
              .join('\n');
      return Promise.resolve({ outcome: best.length === 0 ? ('failed' as const) : ('succeeded' as const), content });
    },
  });
}

/** Words in a name count three times those in a description. */
function search(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'mcp');
  const scored = tools.map((tool) => {
    const [name, description] = [tool.name.toLowerCase(), tool.description.toLowerCase()];
    if (name === query.trim().toLowerCase()) return { tool, score: 1000 };
    const score = words.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ tool }) => tool);
}
