import * as z from 'zod';

/** The settings of the demo identity provider, as one JSON argument's file. */
export const IDENTITY_PROVIDER_SETTINGS = z.object({
  port: z.int(),
  /** PEM texts. */
  certificate: z.string(),
  key: z.string(),
  /** Private key that signs identity tokens (JWK). */
  signingKey: z.looseObject({ kty: z.string() }),
  /** Keys that sign the cookies of the identity provider. */
  cookieKeys: z.array(z.string()).min(1),
  clientId: z.string(),
  redirectUris: z.array(z.string()),
  /** All people that it knows. */
  people: z.array(
    z.object({
      user: z.string(),
      password: z.string(),
      subject: z.string(),
      name: z.string(),
      email: z.string(),
    }),
  ),
});
export type IdentityProviderSettings = z.infer<typeof IDENTITY_PROVIDER_SETTINGS>;

export function issuerOf({ port }: Pick<IdentityProviderSettings, 'port'>): string {
  return `https://127.0.0.1:${port}`;
}
