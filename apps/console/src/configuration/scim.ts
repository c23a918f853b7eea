import type { Reading, Variable } from '@gateway/configuration';
import type { SubjectAttribute } from '../server/scim/user.ts';

const token: Variable = {
  name: 'CONSOLE_SCIM_TOKEN',
  form: 'a random text of at least 32 characters without blanks',
  fallback: 'none: /scim/v2 is not served',
  effect:
    'The token with which the identity provider provisions users (SCIM 2.0). It opens /scim/v2 and nothing else. Not together with CONSOLE_SCIM_TOKEN_FILE.',
};
const tokenFile: Variable = {
  name: 'CONSOLE_SCIM_TOKEN_FILE',
  form: 'the path of a file that contains only the token',
  fallback: 'none',
  effect: 'The same token, in a file.',
};
const subject: Variable = {
  name: 'CONSOLE_SCIM_SUBJECT',
  form: 'userName or externalId',
  fallback: 'userName',
  effect:
    "The attribute of a provisioned user that is its subject. It must equal the claim OIDC_SUBJECT_CLAIM of the user's tokens.",
};

export const SCIM_VARIABLES: readonly Variable[] = [token, tokenFile, subject];

/** Guessing a shorter one would be worth trying. */
const SHORTEST_TOKEN = 32;

/** The settings of provisioning; null without a token. */
export function readScim(
  reading: Reading,
): { readonly token: string; readonly subjectAttribute: SubjectAttribute } | null {
  const [own, file] = [reading.text(token), reading.file(tokenFile)];
  const attribute = reading.text(subject) ?? 'userName';
  if (attribute !== 'userName' && attribute !== 'externalId') {
    reading.fault(subject, `must be ${subject.form}.`);
    return null;
  }
  if (own !== null && reading.text(tokenFile) !== null) {
    reading.fault(tokenFile, `is set together with ${token.name}. Keep one.`);
    return null;
  }
  const [source, text] = own !== null ? [token, own] : [tokenFile, file?.trim() ?? null];
  if (text === null) return null;
  if (text.length < SHORTEST_TOKEN || /[^\x21-\x7e]/.test(text)) {
    reading.fault(source, `must contain ${token.form}. Make one, for example with: openssl rand -hex 32`);
    return null;
  }
  return { token: text, subjectAttribute: attribute };
}
