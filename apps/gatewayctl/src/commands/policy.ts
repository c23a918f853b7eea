import { isIP } from 'node:net';
import {
  checkHandedIn,
  describeFault,
  type Explanation,
  explain,
  type PolicyRequest,
  type PolicyResource,
  resourceTypeOf,
} from '@gateway/access';
import { instant, PERMISSIONS, type Permission } from '@gateway/contract';
import { namedPermission, permissionLabel, roleLabel } from '@gateway/contract/labels';
import type { Sql } from '@gateway/database';
import { readServed, type Served } from '@gateway/domain/endpoint/console';
import { usualPath } from '@gateway/domain/endpoint/paths';
import { installPolicy, refusePolicy } from '@gateway/domain/policy/acts';
import { readPolicyInForce } from '@gateway/domain/policy/console';
import { rolesOf } from '@gateway/domain/role/console';
import { maskText } from '@gateway/secrets';
import { secretFault } from '../context/check.ts';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { compilePolicy, readText } from '../context/find.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

/** Whether a text may be installed, as the console checks it: it holds no secret either. */
function checkPolicy(cedar: string): ReturnType<typeof checkHandedIn> {
  const check = checkHandedIn(cedar);
  const secret = secretFault(cedar);
  if (secret === null) return check;
  return { ok: false, faults: [...(check.ok ? [] : check.faults), { line: 1, column: 1, message: secret }] };
}

/** `policy check FILE`: whether a text may be installed, and where it is wrong (roles-17). Nothing is installed. */
export async function runPolicyCheck(context: Context, file: string): Promise<void> {
  const check = checkPolicy(readText(file));
  if (!check.ok) {
    if (context.json) await print(context, { sound: false, faults: check.faults }, []);
    throw new CommandFailed(`${file} may not be installed. ${check.faults.map(describeFault).join('; ')}`);
  }
  const policies = check.policies.map(({ name, position }) => ({ name, ...position }));
  const counted = policies.length === 1 ? '1 policy' : `${policies.length} policies`;
  await print(context, { sound: true, policies, warnings: check.warnings }, [
    `${file} may be installed: ${counted}.`,
    ...policies.map(({ name, line }) => `  ${name} (line ${line})`),
    ...check.warnings.map((warning) => `Warning: ${describeFault(warning)}`),
  ]);
}

export interface PolicyExplainOptions {
  /** A policy that is not installed yet, asked instead of the one in force. */
  readonly file?: string;
  readonly session?: string;
  readonly method: string;
  readonly path?: string;
  readonly sourceAddress: string;
  readonly at?: string;
}

/** `policy explain SUBJECT PERMISSION RESOURCE`: what roles and policies decide, before a caller is refused. */
export async function runPolicyExplain(
  context: Context,
  [subject = '', permissionName = '', resourceName = '']: readonly string[],
  options: PolicyExplainOptions,
): Promise<void> {
  const permission = checkPermission(permissionName);
  const resource = checkResource(permission, resourceName);
  const call = checkCall(options, resource);
  const explanation = await withDatabase(context.environment, async (sql) => {
    const roles = await rolesOf(sql, subject, resource.type === 'Project' ? resource.name : null);
    const { standby, ...served } = await completeResource(sql, resource);
    const question: PolicyRequest = { subject, roles, permission, ...served, call };
    const cedar = options.file === undefined ? (await readPolicyInForce(sql))?.cedar : readText(options.file);
    return { roles, ...explain(question, compilePolicy(cedar ?? ''), standby) };
  });
  const asked = { subject, permission, resource: resourceName };
  await print(context, { ...asked, ...explanation }, linesOf(asked, explanation));
}

function linesOf(asked: { subject: string; permission: string; resource: string }, explanation: Explanation): string[] {
  const role = roleLabel(explanation.role);
  const held = explanation.held
    ? `has the role ${role}, which contains it`
    : `does not have the role ${role}, the only one with it`;
  const { granted, policies, standby } = explanation;
  const decided = (isGranted: boolean) =>
    `${asked.subject} is ${isGranted ? 'granted' : 'refused'} ${namedPermission(asked.permission)} on ${asked.resource}`;
  return [
    `${decided(granted)}.`,
    `  ${asked.subject} ${held}`,
    ...(policies.length > 0 ? policies.map(lineOf) : ['  no policy narrows anything']),
    ...(standby === null
      ? []
      : [
          `${decided(standby.granted)} if its standby serves it: the model ${standby.model} of ${standby.provider}.`,
          ...standby.policies.map(lineOf),
        ]),
  ];
}

function lineOf({ policy, line, says, message }: Explanation['policies'][number]): string {
  if (says === 'nothing') return `  ${policy} (line ${line}) says nothing about this`;
  return says === 'forbids'
    ? `  ${policy} (line ${line}) forbids it`
    : `  ${policy} (line ${line}) cannot be evaluated, so it refuses: ${message}`;
}

/** By identifier, or by English name in any case and with any apostrophe. */
function checkPermission(name: string): Permission {
  const label = name.toLowerCase().replaceAll("'", '’');
  const found = PERMISSIONS.find((one) => one === name || permissionLabel(one).toLowerCase() === label);
  if (found !== undefined) return found;
  const all = PERMISSIONS.map(namedPermission).join(', ');
  throw new WrongUsage(`There is no permission "${name}". The permissions are: ${all}.`);
}

/** `endpoint:NAME`, `project:NAME` or `instance`, as decision entries write it. */
function checkResource(permission: Permission, text: string): PolicyResource {
  const [, kind = text, name = ''] = /^(endpoint|project):(.+)$/.exec(text) ?? [];
  const type = resourceTypeOf(permission);
  if (type === 'Endpoint' && kind === 'endpoint') return { type, name, model: '', provider: '' };
  if (type === 'Project' && kind === 'project') return { type, name };
  if (type === 'Instance' && text === 'instance') return { type };
  const form = { Endpoint: 'endpoint:NAME', Project: 'project:NAME', Instance: 'instance' }[type];
  throw new WrongUsage(`${namedPermission(permission)} is asked on ${form}, not on "${text}".`);
}

function checkCall(options: PolicyExplainOptions, resource: PolicyResource): PolicyRequest['call'] {
  const { session = null, method, sourceAddress } = options;
  if (isIP(sourceAddress) === 0)
    throw new WrongUsage(`--source-address must be an IP address, not "${sourceAddress}".`);
  const at = options.at === undefined ? new Date() : instantIn(options.at);
  const path = options.path ?? (resource.type === 'Endpoint' ? usualPath(resource.name) : '/');
  return { session, method, path, sourceAddress, at };
}

function instantIn(text: string): Date {
  const { success, error } = instant.safeParse(text);
  if (!success) throw new WrongUsage(`--at ${error.issues[0]?.message}.`);
  return new Date(text);
}

/** What the endpoint serves now: a policy may look at it. */
async function completeResource(
  sql: Sql,
  resource: PolicyResource,
): Promise<{ readonly resource: PolicyResource; readonly standby: Served['standby'] }> {
  if (resource.type !== 'Endpoint') return { resource, standby: null };
  const served = await readServed(sql, resource.name);
  if (served === null) throw new CommandFailed(`There is no endpoint "${resource.name}".`);
  const { standby, ...first } = served;
  return { resource: { ...resource, ...first }, standby };
}

/**
 * `policy install FILE`: as the console does it, for an operator that a policy in force locks out of the console. A refused
 * attempt is recorded too (roles-17).
 */
export async function runPolicyInstall(
  context: Context,
  file: string,
  options: { readonly author?: string },
): Promise<void> {
  const cedar = readText(file);
  const check = checkPolicy(cedar);
  if (!check.ok) {
    const fault = check.faults.map(describeFault).join('; ');
    await withAct(context, options.author, (act) => refusePolicy(act, { document: cedar, fault }, maskText));
    throw new CommandFailed(`${file} was not installed. ${fault}`);
  }
  const { revision } = await withAct(context, options.author, (act) => installPolicy(act, cedar));
  await print(context, { revision, policies: check.policies.length }, [`Revision ${revision} is in force.`]);
}

/** `policy lift`: back to the role matrix alone. A command of its own, so that no empty file or pipe does it. */
export async function runPolicyLift(context: Context, options: { readonly author?: string }): Promise<void> {
  const { revision } = await withAct(context, options.author, (act) => installPolicy(act, ''));
  await print(context, { revision, policies: 0 }, [
    `Revision ${revision} is in force: it has no policy, so only the role matrix applies.`,
  ]);
}

/** `policy show`: the authorization policy in force, as it was installed. */
export async function runPolicyShow(context: Context): Promise<void> {
  const policy = (await withDatabase(context.environment, readPolicyInForce)) ?? null;
  const lines =
    policy === null
      ? ['No authorization policy was ever installed: only the role matrix applies.']
      : [
          `// Revision ${policy.revision}, installed by ${policy.author} at ${policy.installedAt.toISOString()}`,
          policy.cedar,
        ];
  await print(context, { policy }, lines);
}
