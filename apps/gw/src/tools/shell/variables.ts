import { delimiter, isAbsolute } from 'node:path';
import { credentialsIn, isTellingName } from '../../redaction/known-secrets.ts';
import { maskSecrets } from '../../redaction/mask.ts';

/** Variables of the client itself: credentials of the user or the deployment. */
const OWN = /^GATEWAY_(?:KEY|.*TOKEN|LICENSE.*)$|^ADMIN_(?:API_KEY|PASS)$/;

/** Programs that open an editor or a pager would wait for input that never comes. */
export const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

/** The variables that a command gets: the user's, without the keys of the gateway and of the models. */
export function variablesOf(all: ReadonlyMap<string, string>, keys: readonly string[]): Record<string, string> {
  const removed = new Set(findRemovedVariables(all, keys));
  const kept = [...all].filter(([name]) => !removed.has(name));
  return {
    ...Object.fromEntries(kept),
    ...absoluteFirst(new Map(kept)),
    ...explicitRepositories(all),
    ...UNATTENDED,
    TERM: 'dumb',
  };
}

/** A program of the project must not take the place of the system's: `./node_modules/.bin/ls`. */
function absoluteFirst(all: ReadonlyMap<string, string>): Record<string, string> {
  const folders = (all.get('PATH') ?? '').split(delimiter);
  const absolute = folders.filter((folder) => isAbsolute(folder));
  if (absolute.length === folders.length) return {};
  return { PATH: [...absolute, ...folders.filter((folder) => !isAbsolute(folder))].join(delimiter) };
}

/** A repository without a work tree can be part of a project, and its settings start programs: git does not use it by itself. */
function explicitRepositories(all: ReadonlyMap<string, string>): Record<string, string> {
  const count = Number(all.get('GIT_CONFIG_COUNT') ?? 0);
  if (!Number.isSafeInteger(count) || count < 0) return {};
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}

/** Names of the variables with a key of the gateway or of a model. */
export function findRemovedVariables(all: ReadonlyMap<string, string>, keys: readonly string[]): readonly string[] {
  const secret = keys.filter((key) => key.length >= 4);
  return [...all].flatMap(([name, value]) =>
    OWN.test(name) || secret.some((key) => value.includes(key)) ? [name] : [],
  );
}

/** A name in front of which the scanner takes a value without a form of its own for a key. */
const NAME_OF_KEY = 'AWS_SECRET_ACCESS_KEY';

/** The digest of a commit (`GITHUB_SHA`), which has the length of such a key. */
const DIGEST = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** The variables of which neither name nor value looks like a secret. */
export function ordinaryVariables(all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...all].filter(
      ([name, value]) =>
        !isTellingName(name) &&
        credentialsIn(value).length === 0 &&
        (DIGEST.test(value) ? [name] : [name, NAME_OF_KEY]).every((one) => maskSecrets(`${one}=${value}`).masked === 0),
    ),
  );
}
