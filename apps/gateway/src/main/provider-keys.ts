import type { Environment } from '@gateway/configuration';
import { isOwnVariable } from '@gateway/contract';
import type { ProviderKeys } from '../relay/request/provider-key.ts';

/**
 * A provider names a variable of this environment. The programs' own variables are excluded: a provider declared with one could
 * receive the database's password.
 * @param pattern what the names must match, where an operator restricts them
 */
export function providerKeysOf(environment: Environment, pattern: RegExp | null): ProviderKeys {
  return (variable) => {
    if (isOwnVariable(variable) || pattern?.test(variable) === false) return null;
    // Mounted secrets often end in a line break, and no header's value begins or ends with a blank.
    return environment[variable]?.trim() || null;
  };
}
