import { legible } from '@gateway/contract/legible';
import type { Effect, PolicyInForce } from '../../agent/types/index.ts';
import { policyRules } from '../../compose/rules.ts';
import { findProject } from '../../files/project.ts';
import { controlPlaneOf } from '../../organization/open.ts';
import { createPolicyReader, type KnownPolicy, PolicyUnknown } from '../../organization/policy.ts';
import { rank } from '../../permissions/layers.ts';
import { isAbout, type Rule } from '../../permissions/rule.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed } from '../../process/fault.ts';
import { createFetch } from '../../process/network.ts';
import { readSources } from '../../trust/sources.ts';
import { EXIT } from '../command/command.ts';

/** The tools of the contract that every session has, by what they do. */
const TOOLS: Readonly<Record<string, Effect>> = {
  Read: 'read',
  List: 'read',
  Search: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  Bash: 'execute',
  BashOutput: 'none',
  BashStop: 'none',
  Fetch: 'network',
  Checklist: 'none',
  AskQuestion: 'none',
  Agent: 'none',
};

interface ToolDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** `exclude Bash`, `ask Write`, `default`. */
  readonly rule: string;
  /** Rules of the policy for some calls of the tool only: `exclude Bash(rm *)`. */
  readonly patterns: readonly string[];
}

/** What a policy decides about each tool, without options, configuration and approvals. */
export function toolDecisions(tools: PolicyInForce['tools']): Readonly<Record<string, ToolDecision>> {
  const policy = policyRules({ tools });
  const layer = { exclude: [], ordered: [] };
  const rules = { mode: 'normal', policy, options: layer, configuration: layer, saved: new Set<string>() } as const;
  const whole = (rule: Rule): boolean => rule.pattern === null;
  const matcher = { covered: whole, mayMatch: whole, keys: [] };
  const lists = [
    ['exclude', policy.exclude],
    ['ask', policy.ask],
    ['allow', policy.allow],
  ] as const;
  const decided = Object.entries(TOOLS).map(([tool, effect]): [string, ToolDecision] => {
    const about = lists.flatMap(([list, all]) =>
      all.filter((rule) => isAbout(rule, tool)).map((rule) => ({ list, rule })),
    );
    const { decision, source } = rank(
      { ...rules, readOnlySandbox: false, interactive: true, ownFolder: null },
      tool,
      effect,
      matcher,
    );
    const found = about.find(({ rule }) => whole(rule));
    return [
      tool,
      {
        decision,
        rule: source === 'policy' && found !== undefined ? `${found.list} ${found.rule.text}` : 'default',
        patterns: about.filter(({ rule }) => !whole(rule)).map(({ list, rule }) => `${list} ${rule.text}`),
      },
    ];
  });
  return Object.fromEntries(decided);
}

interface Options {
  readonly config: string | null;
  readonly json: boolean;
}

const NO_POLICY: KnownPolicy = {
  source: 'none',
  inForce: false,
  organization: null,
  revision: null,
  producedAt: null,
  validFrom: null,
  validUntil: null,
  policy: null,
  notice: null,
};

export async function runPolicy(context: Context, { config, json }: Options): Promise<number> {
  const { terminal } = context;
  const known = await readKnownPolicy(context, config);
  if (known.notice !== null) terminal.report(`gw: ${legible(known.notice)}\n`);
  const tools = toolDecisions((known.inForce ? known.policy?.tools : undefined) ?? {});
  await terminal.write(json ? jsonOf(known, tools) : policyText(known, tools));
  return EXIT.done;
}

/** The members that the gateway answers, where they are from, and what they mean for the tools. */
function jsonOf(known: KnownPolicy, tools: ReturnType<typeof toolDecisions>): string {
  const { organization, revision, producedAt, validFrom, validUntil, policy, source } = known;
  const value = { organization, revision, producedAt, validFrom, validUntil, policy, source, tools };
  return `${JSON.stringify(value)}\n`;
}

async function readKnownPolicy(context: Context, config: string | null): Promise<KnownPolicy> {
  const { environment, now } = context;
  const home = environment.homeDirectory;
  if (home === null || environment.workingDirectory === null) {
    throw new CommandFailed(
      'You have no home directory, or the current directory is gone. Set HOME, or change directory.',
    );
  }
  const project = await findProject(environment.workingDirectory, environment.userId);
  const { gateway } = await readSources(environment, project, config);
  const { variables } = environment;
  const plane = await controlPlaneOf({ variables, gateway, fetch: createFetch(variables) });
  if (plane === null) {
    const missing =
      gateway === null
        ? 'No gateway is configured: set gateway: in ~/.gateway/config.yaml, or GATEWAY_URL.'
        : 'There is no deployment license: set GATEWAY_LICENSE or GATEWAY_LICENSE_FILE.';
    return { ...NO_POLICY, notice: `No organization's policy is read. ${missing}` };
  }
  try {
    return await createPolicyReader(plane, home, now).read();
  } catch (error) {
    if (!(error instanceof PolicyUnknown)) throw error;
    const isRefusal = error.status !== null && [401, 402, 403].includes(error.status);
    throw new CommandFailed(error.message, isRefusal ? EXIT.refused : EXIT.failed);
  }
}

const WORDS = { allow: 'allowed', ask: 'asks first', deny: 'excluded' } as const;

function policyText(known: KnownPolicy, tools: ReturnType<typeof toolDecisions>): string {
  const { organization, revision, source, producedAt, validFrom, validUntil, inForce } = known;
  const lines = [
    `Organization:  ${organization ?? 'none'}`,
    `Revision:      ${revision ?? 'none'}${producedAt === null ? '' : `, produced ${producedAt}`}`,
    `Validity:      ${validFrom ?? 'any time'} to ${validUntil ?? 'any time'}${inForce ? ', in force' : ', imposes nothing now'}`,
    `Commands run:  ${inForce && known.policy?.commands?.location === 'gateway' ? 'on the gateway' : 'on this machine'}`,
    `Read from:     ${{ gateway: 'the gateway', kept: 'the copy kept on this machine', none: 'nowhere' }[source]}`,
    '',
    ...Object.entries(tools).map(([tool, { decision, rule, patterns }]) => {
      const more = patterns.length === 0 ? '' : `; ${patterns.join(', ')}`;
      return `${tool.padEnd(12)}  ${WORDS[decision].padEnd(10)}  by ${rule === 'default' ? 'default' : `policy: ${rule}`}${more}`;
    }),
  ];
  return lines.map((line) => `${legible(line)}\n`).join('');
}
