import { realpath } from 'node:fs/promises';
import { maskText } from '@gateway/secrets';
import { redactReport } from '../../diagnose/redact-report.ts';
import { diagnose, type Report } from '../../diagnose/report.ts';
import { inColumns, reportText } from '../../diagnose/text.ts';
import { writeOwnFile } from '../../diagnose/write.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { pluralize } from '../../process/pluralize.ts';
import { wrap } from '../../process/wrap.ts';
import { collectSecrets } from '../../redaction/known-secrets.ts';
import { createRedaction } from '../../redaction/redaction.ts';

interface Options {
  readonly output: string | null;
  readonly force: boolean;
  readonly config: string | null;
  readonly json: boolean;
}

/**
 * `diagnose`: writes a report of this client's state on the machine, and sends nothing. It creates one file, in the working
 * directory, and changes nothing else. Findings are no failure.
 */
export async function runDiagnose(context: Context, options: Options): Promise<void> {
  const { environment, terminal } = context;
  const home = environment.homeDirectory;
  const real = home === null ? null : await realpath(home).catch(() => null);
  const homeDirectories = [...new Set([home, real])].filter((each) => each !== null);
  const redaction = createRedaction({ homeDirectories, userName: environment.userName });
  for (const value of collectSecrets(environment.variables)) redaction.withhold(value);

  const report = redactReport(await diagnose({ ...context, redaction }, options.config ?? undefined), redaction);
  const { json } = options;
  const text = maskText(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  if (options.output === '-') {
    await terminal.write(json ? text : inColumns(text, terminal.columns));
    return;
  }
  const path = options.output ?? `./gw-diagnostic-${instantOf(context.now())}.${json ? 'json' : 'txt'}`;
  await writeOwnFile(pathFrom(environment, path), text, options.force, path);
  const found = summarize(report);
  const lines = [`It holds ${found}.`, 'Nothing was sent. Read it before you hand it on.'];
  const result = json
    ? JSON.stringify({ report: path, findings: report.findings.length, sent: false })
    : [path, ...lines.map((line) => wrap(line, terminal.columns))].join('\n');
  await terminal.write(`${result}\n`);
}

/** An instant as a part of a file name that every system takes: `20260131T093000123Z`. */
function instantOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:.]/g, '');
}

function summarize({ findings: { length } }: Report): string {
  const findings = length === 0 ? 'no finding' : pluralize(length, 'finding');
  return `${findings}, and facts about this machine, its terminal, proxies and tools, the project and its settings`;
}
