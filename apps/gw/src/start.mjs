// The first module of the program. Plain JavaScript that old versions of Node.js can parse, so that they can be refused.
// It imports nothing by itself: each module of Node.js that is imported costs the start one to four milliseconds.

const LEAST_NODE = 24;
const BRIEF_COLUMNS = 80;

/** Version and help, which the build computes: answering them takes hardly longer than Node.js itself. Null in a checkout. */
const VERSION_TEXT = typeof GW_VERSION_TEXT === 'undefined' ? null : GW_VERSION_TEXT;
const HELP_TEXT = typeof GW_HELP_TEXT === 'undefined' ? null : GW_HELP_TEXT;

/** The text that a command line asks for; null where the program has to be loaded. */
function preparedText(word) {
  if (word === '--version' || word === '-V') return VERSION_TEXT;
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(1) && process.stdout.columns < BRIEF_COLUMNS ? null : HELP_TEXT;
}

/** Null where all of it was written, else what was not: a pipe may be full. */
function writeNow(text) {
  const { writeSync } = process.getBuiltinModule('node:fs');
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    return null;
  } catch (error) {
    return error.code === 'EPIPE' ? null : rest;
  }
}

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  process.stderr.write(`gw needs Node.js ${LEAST_NODE} or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const [word, ...more] = process.argv.slice(2);
  if (more.length === 0 && ['--version', '-V', '--help', '-h'].includes(word)) {
    const text = preparedText(word);
    const rest = text === null ? null : writeNow(text);
    if (text === null || rest !== null) {
      const { answerQuickly } = await import('./cli/quick.ts');
      await answerQuickly(word, rest);
    }
  } else {
    // Both are the whole program, but for the commands: the first word of one is no option.
    const prints = word?.startsWith('-') && [word, ...more].some((one) => one === '-p' || one === '--print');
    const { main } = prints ? await import('./print.ts') : await import('./main.ts');
    await main();
  }
}
