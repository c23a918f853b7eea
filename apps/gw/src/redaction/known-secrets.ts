/** Parts of the name of a variable that say that its value is nobody's business. */
const TELLING = /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|COOKIE|PRIVATE|DSN|LICENSE|SIGNATURE|WEBHOOK/i;
/** The shell's own variables whose names contain one of these parts. */
const DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** Whether the name of a variable says that its value is nobody's business. */
export function isTellingName(name: string): boolean {
  return TELLING.test(name) && !DIRECTORIES.has(name);
}

/** Values that are secrets by the name of their variable, or as the user info of an address. */
export function* collectSecrets(variables: ReadonlyMap<string, string>): Iterable<string> {
  for (const [name, value] of variables) {
    if (isTellingName(name)) yield value;
    yield* credentialsIn(value);
  }
}

/** User name and password of an address, as written. The user name is often the token itself. */
export function credentialsIn(address: string): readonly string[] {
  const userInfo =
    /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)@/i.exec(address)?.[1] ?? /^([^/?#\s]*:[^/?#\s]*)@/.exec(address)?.[1];
  if (userInfo === undefined) return [];
  const colon = userInfo.indexOf(':');
  return colon < 0 ? [userInfo] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
}
