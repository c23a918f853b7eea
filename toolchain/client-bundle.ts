import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadAutomaton } from '@gateway/secrets';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { briefHelp } from '../apps/gw/src/cli/overview.ts';
import { VERSION } from '../apps/gw/src/process/product.ts';
import type { Profile } from './sources.ts';

/** Some packages are CommonJS and require what Node brings. An import of it would cost the start 2 ms. Old versions are refused next. */
const BANNER = {
  js: "const require = process.getBuiltinModule?.('node:module').createRequire(import.meta.url);",
};

/**
 * Node's modules are accessed directly, not imported: an import reads every export, and some of them load more. With `node:http`,
 * that loads the whole of fetch, 30 ms of the start.
 */
const BUILT_IN: Plugin = {
  name: 'built-in',
  setup(plugin) {
    plugin.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'built-in' },
    );
    plugin.onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[A-Za-z]\w*$/.test(name));
      // What nothing uses of a pure expression is left out.
      const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ take(${JSON.stringify(name)});`);
      return {
        contents: [
          `const module = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
          'const take = (name) => module[name];',
          'export default module;',
          ...exported.filter((line) => !line.startsWith('export const default ')),
        ].join('\n'),
      };
    });
  },
};

const PRINT = 'gw/print';

/** `gw -p` is built for itself, below. */
const PRINT_APART: Plugin = {
  name: 'print-apart',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.\/print\.ts$/ }, () => ({ path: `./${PRINT}.js`, external: true }));
  },
};

/**
 * What `gw -p` always needs becomes one part instead of fifty, because every part that is loaded later is made to import it: esbuild
 * keeps modules together that the same entries reach.
 */
const ONE_PART: Plugin = {
  name: 'one-part',
  setup(plugin) {
    const core = resolve('apps/gw/src/print-parts.ts');
    plugin.onResolve(
      { filter: /^(?:\.|@gateway\/|@modelcontextprotocol\/)/ },
      async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === core) return null;
        // The first word of a call that prints is an option, so it starts no command.
        if (importer.endsWith('/cli/commands.ts')) return { path, external: true };
        const found = await plugin.resolve(path, { kind, importer, resolveDir, pluginData: core });
        return { path: found.path, namespace: 'later' };
      },
    );
    plugin.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: `import ${JSON.stringify(core)}; export * from ${JSON.stringify(path)};`,
      resolveDir: resolve('.'),
    }));
  },
};

/** Lists the sources of the client, so that `gw` in a checkout detects a change. */
export const SOURCES = 'sources.txt';

/** Files of this repository, relative to it. What is below `node_modules` changes with the lock file. */
function sourcesOf(...metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const paths = inputs
    .map((input) => input.replace(/^later:/, ''))
    .filter((path) => /^(?:apps|packages)\/(?!.*\bnode_modules\/)/.test(path));
  return [...new Set(paths)].sort();
}

/**
 * One other character makes V8 keep a whole part in two bytes each, and decode it slowly: a tenth of the start of `gw -p`. esbuild
 * escapes them in strings, but not in regular expressions.
 */
async function requireAscii({ outputs }: Metafile): Promise<void> {
  for (const file of Object.keys(outputs)) {
    const [found] = /[^\n]{0,40}[^\0-\x7f][^\n]{0,40}/.exec(await readFile(file, 'utf8')) ?? [];
    if (found !== undefined) throw new Error(`${file} has a character beyond ASCII, write it as \\u2026: ${found}`);
  }
}

/** The client starts in a few milliseconds: what a command needs is in parts of its own, which are loaded when it is called. */
export async function bundleClient(profile: Profile, folder: string, define: Record<string, string>): Promise<void> {
  const options: BuildOptions = {
    outdir: folder,
    chunkNames: 'gw/[name]-[hash]',
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: [profile],
    define: { ...define, GW_VERSION_TEXT: JSON.stringify(`${VERSION}\n`), GW_HELP_TEXT: JSON.stringify(briefHelp()) },
    splitting: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: BANNER,
    // Node's own condition selects CommonJS, which cannot be tree-shaken.
    alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
  };
  const whole = await build({
    ...options,
    metafile: true,
    entryPoints: { gw: 'apps/gw/src/start.mjs', 'gw/map-worker': 'apps/gw/src/map/worker.ts' },
    plugins: [PRINT_APART, BUILT_IN],
  });
  const print = await build({
    ...options,
    metafile: true,
    entryPoints: { [PRINT]: 'apps/gw/src/print.ts' },
    plugins: [ONE_PART, BUILT_IN],
  });
  for (const metafile of [whole.metafile, print.metafile]) await requireAscii(metafile);
  await writeFile(`${folder}/gw/automaton.bin`, loadAutomaton());
  await writeFile(`${folder}/gw/${SOURCES}`, sourcesOf(whole.metafile, print.metafile).join('\n'));
}
