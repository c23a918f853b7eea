/** How strongly a name announces that its value is a secret. */
export const NONE = 0;
export const WEAK = 1;
export const STRONG = 2;
export type Strength = typeof NONE | typeof WEAK | typeof STRONG;

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const STRONG_WORDS = list(
  'secret secrets token tokens password passwords passwd passphrase passcode pwd pass psk apikey apikeys apitoken authtoken accesstoken refreshtoken ' +
    'secretkey accesskey privatekey authkey encryptionkey signingkey clientsecret appsecret sharedkey masterkey credential credentials cred creds ' +
    'authorization bearer jwt pat nkey otp totp hmac pin passwort passe mdp motdepasse dbpass requirepass masterauth htpasswd dsn',
);
/** A key is one only in such company: an API key, not a primary key. */
const KEY_COMPANY = list(
  'api access secret private auth signing encryption decryption encrypt decrypt account master client consumer shared license licence service ' +
    'storage webhook app application deploy subscription admin user server sdk integration ssh rsa jwt aes hmac session cookie root project org ' +
    'personal instance ingest write read maps validation machine push sign crypto wallet authentication authorization developer rest x bot functions function host',
);
/** Suffixes of the last word of a name that do not change its meaning. */
const TRANSPARENT = list(
  'value val string str text raw base64 b64 enc encoded plain prod production dev development test testing staging stage live sandbox default old new env ' +
    'main backup current base primary secondary my the a v1 v2 v3 eu us data content literal const header var field1 ci local',
);
/** Last words that make the name about something else: where, which, how long, what of it. */
const OTHER_THINGS = list(
  'id ids name names path paths file files filename dir url uri urls endpoint host type types kind length size count num number expiry expires expiration ' +
    'expired exp ttl age timeout limit label title hint prompt description desc placeholder prefix suffix regex regexp pattern format status state index idx ' +
    'class selector event hash digest checksum sum fingerprint signature sig nonce salt iv version revision policy rule rules role scope scopes ' +
    'manager provider providers service factory store storage handler helper util utils builder parser validator generator column table ' +
    'field fields input form button link page view screen icon ref refs reference arn alias algorithm alg method mode required enabled disabled valid ' +
    'invalid error errors message msg code codes mapping map list set array cache public pub modal dialog reset strength change changed confirm confirmation ' +
    'at by in on of for to from usage used limiter window bucket rate budget estimate estimator tokenizer vocab vocabulary pair pairs agreement exchange ' +
    'issuer audience subject owner user username email sid',
);

/** Whether a name that ends in this word is about something else than a value. */
export function isOtherThing(word: string): boolean {
  return OTHER_THINGS.has(word);
}

const PUBLIC = list(
  'public pub publishable site primary foreign partition sort range hash cache idempotency routing translation i18n react trace span event press down up keyboard shortcut object map lookup socket websocket',
);
/** Words that indicate a public value, or none. */
const DISCLAIMERS = list('public publishable non not no invalid wrong fake dummy mock example sample placeholder');
const SUFFIXES = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'secretkey',
  'accesskey',
  'privatekey',
  'authkey',
  'credentials',
  'pwd',
];

/** Splits an identifier at separators and at camelCase humps; lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** What a name indicates about its value. The last significant word decides: `secretName` is a name, `tokenSecret` a secret. */
export function strengthOf(name: string): Strength {
  const words = wordsOf(name);
  let last = words.length - 1;
  while (last > 0 && (TRANSPARENT.has(words[last] ?? '') || /^\d+$/.test(words[last] ?? ''))) last--;
  const word = (words[last] ?? '').replace(/\d+$/, '');
  if (words.some((each) => DISCLAIMERS.has(each))) return NONE;
  if (OTHER_THINGS.has(word) || isFormToken(words, word)) return NONE;
  if (word === 'key' || word === 'keys') return keyStrength(words.slice(0, last), word === 'keys');
  if (STRONG_WORDS.has(word) || SUFFIXES.some((suffix) => word.endsWith(suffix))) return STRONG;
  return words.some((each) => STRONG_WORDS.has(each) || each === 'key' || each === 'api' || /^auth(?!or)/.test(each))
    ? WEAK
    : NONE;
}

/** Against forged forms, a page contains a token for each visitor; the secret that signs them is another thing. */
function isFormToken(words: readonly string[], last: string): boolean {
  return last.endsWith('token') && words.some((word) => /^(?:csrf|xsrf|authenticity)/.test(word));
}

function keyStrength(company: readonly string[], plural: boolean): Strength {
  if (company.some((word) => PUBLIC.has(word))) return NONE;
  if (company.some((word) => KEY_COMPANY.has(word) || STRONG_WORDS.has(word))) return STRONG;
  return plural ? NONE : WEAK;
}
