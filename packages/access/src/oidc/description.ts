import * as z from 'zod';
import { discoveryAddress } from './issuer.ts';
import { IdentityProviderUnreachable, type OidcTransport } from './transport.ts';

/** Longer addresses are refused, because the log quotes them. */
const LONGEST = 2000;

const httpsAddress = z.url({
  protocol: /^https$/,
  error: ({ input }) => (typeof input === 'string' ? `is not an https address: ${printable(input)}` : undefined),
});

/** The discovery document (OpenID Connect Discovery 1.0, section 3). Other members stay in it. */
const description = z.looseObject({ issuer: z.string().max(LONGEST), jwks_uri: httpsAddress.max(LONGEST) });

export type ProviderDescription = z.infer<typeof description>;

/** Fetches an identity provider's description. Rejects with {@link IdentityProviderUnreachable}, whose message is for the operator. */
/** @param setting what the operator set the issuer with, for the message */
export async function discoverIdentityProvider(
  issuer: string,
  fetchJson: OidcTransport,
  setting = 'OIDC_ISSUER',
): Promise<ProviderDescription> {
  const address = discoveryAddress(issuer);
  const found = readDocument(description, await fetchJson(address), `${address}: the discovery document`);
  if (found.issuer === issuer) return found;
  throw new IdentityProviderUnreachable(
    `${address}: its issuer is ${JSON.stringify(found.issuer)}, and ${setting} is ${JSON.stringify(issuer)}; the two must be exactly equal`,
  );
}

/** @param what names the document in the message of the fault */
export function readDocument<Shape extends z.ZodType>(shape: Shape, document: unknown, what: string): z.infer<Shape> {
  const { success, data, error } = shape.safeParse(document);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => [...path, message].join(' '));
  throw new IdentityProviderUnreachable(`${what} is not valid: ${faults.join('; ')}`);
}

function printable(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
