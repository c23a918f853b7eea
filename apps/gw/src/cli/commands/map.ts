import { LEVELS } from '../../map/graph.ts';
import { defineCommand, isGiven, oneOf, valueOf, wholeNumber } from '../command/command.ts';
import type { MapOptions } from './options.ts';

export const map = defineCommand({
  usage: {
    name: 'gw map',
    purpose:
      'Draws the imports of this repository from its sources, without a model and without a network. Files that git ignores are left out.',
    options: [
      { long: '--level', value: '<level>', about: 'package, dir, file or symbol (default: dir)' },
      { long: '--focus', value: '<node>', about: 'only this node and its neighbours' },
      { long: '--depth', value: '<n>', about: 'how many imports away neighbours may be (default: 1)' },
      { long: '--cycles', about: 'list import cycles at the level; exit code 1 if there are any' },
      { long: '--check-layers', about: 'check imports against .gateway/layers.yaml; exit code 1 if any is forbidden' },
      { long: '--pr', about: 'only what this branch and the work tree change, marked, and its neighbours' },
      {
        long: '--base-ref',
        value: '<ref>',
        about: 'compare with this ref for --pr (default: the main branch of the remote)',
      },
      { long: '--format', value: '<format>', about: 'mermaid or json (default: mermaid)' },
      { long: '--max-nodes', value: '<n>', about: 'nodes shown at most, those with the most imports (default: 15)' },
    ],
    notes: [
      'Languages: TypeScript, JavaScript, Python, Go, Rust, Java, Kotlin, C, C++, C#, Ruby, PHP.',
      'Exit code: 0 done; 1 cycles or forbidden imports were found; 2 wrong usage.',
    ],
    examples: [
      { line: 'gw map', does: 'draws the directories of this repository' },
      { line: 'gw map --level file --focus src/main.ts --depth 2', does: 'draws what surrounds one file' },
      { line: 'gw map --cycles --level file', does: 'lists import cycles, for CI' },
    ],
  },
  parse: (given): MapOptions => ({
    level: oneOf(given, '--level', LEVELS) ?? 'dir',
    // As a shell completes it: ./src/ is src.
    focus: valueOf(given, '--focus')?.replaceAll(/^(?:\.\/)+|(?<=.)\/+$/g, '') ?? null,
    depth: wholeNumber(given, '--depth', 1, 0, 100),
    cycles: isGiven(given, '--cycles'),
    checkLayers: isGiven(given, '--check-layers'),
    pr: isGiven(given, '--pr'),
    baseRef: valueOf(given, '--base-ref'),
    format: oneOf(given, '--format', ['mermaid', 'json']) ?? 'mermaid',
    maxNodes: wholeNumber(given, '--max-nodes', 15, 1, 1_000_000),
  }),
  run: async (context, options) => (await import('./map-run.ts')).runMap(context, options),
});
