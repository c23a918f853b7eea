import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseKeySet, parseWorkloadRules, type WorkloadRule, type WorkloadSource } from '@gateway/access';
import { certificatesOf, codeOf, type Reading, type Variable } from '@gateway/configuration';

const workloadsFile: Variable = {
  name: 'GATEWAY_WORKLOADS_FILE',
  form: 'the path of a JSON file with rules for tokens of workloads',
  fallback: 'none: only account keys and tokens of people are accepted',
  effect:
    'Lets CI jobs and services call with the token of their platform (GitHub Actions, GitLab, Kubernetes, any OpenID provider). Read at start; see the manual, "Workloads".',
};

export const WORKLOAD_VARIABLES: readonly Variable[] = [workloadsFile];

/**
 * The issuers of workloads' tokens, each with its rules; none where no file is named. Every fault names its entry.
 * @param directoryIssuer whose tokens are people's: it issues for no workload
 */
export function readWorkloads(reading: Reading, directoryIssuer: string | null): readonly WorkloadSource[] {
  const content = reading.file(workloadsFile);
  const path = reading.text(workloadsFile);
  if (content === null || path === null) return [];
  const fault = (sentence: string) => reading.fault(workloadsFile, `${path}: ${sentence}.`);
  const parsed = parseWorkloadRules(content);
  if ('faults' in parsed) {
    for (const sentence of parsed.faults) fault(sentence);
    return [];
  }
  const folder = dirname(resolve(path));
  const issuers = Map.groupBy(parsed.rules, ({ issuer }) => issuer);
  return [...issuers].flatMap(([issuer, rules]): WorkloadSource[] => {
    const [first] = rules;
    if (first === undefined) return [];
    const entry = `entry ${parsed.rules.indexOf(first) + 1} (${first.name})`;
    if (issuer === directoryIssuer) {
      fault(`${entry}: issuer is that of OIDC_ISSUER, whose tokens are people's`);
      return [];
    }
    const keys = keysOf(first, folder, (sentence) => fault(`${entry}: ${sentence}`));
    return keys === null ? [] : [{ issuer, rules, keys }];
  });
}

/** The source of an issuer's keys. Paths are relative to the folder of the rules. */
function keysOf(
  { keysFile, caFile }: WorkloadRule,
  folder: string,
  fault: (sentence: string) => void,
): WorkloadSource['keys'] | null {
  if (keysFile !== undefined) {
    const path = resolve(folder, keysFile);
    const read = () => readFileSync(path, 'utf8');
    const text = readOr(read, `keysFile ${path}`, fault);
    if (text === null) return null;
    const parsed = parseKeySet(text);
    if ('set' in parsed) return { kind: 'file', first: parsed.set, read };
    fault(`keysFile ${path} ${parsed.fault}`);
    return null;
  }
  if (caFile === undefined) return { kind: 'fetched', ca: [] };
  const path = resolve(folder, caFile);
  const text = readOr(() => readFileSync(path, 'utf8'), `caFile ${path}`, fault);
  if (text === null) return null;
  const ca = certificatesOf(text) ?? [];
  if (ca.length > 0) return { kind: 'fetched', ca };
  fault(`caFile ${path} contains no PEM certificate that can be read`);
  return null;
}

function readOr(read: () => string, what: string, fault: (sentence: string) => void): string | null {
  try {
    return read();
  } catch (error) {
    fault(`${what} cannot be read (${codeOf(error)})`);
    return null;
  }
}
