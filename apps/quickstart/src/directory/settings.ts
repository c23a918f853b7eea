import * as z from 'zod';

/** The settings of the demo identity provider, as one JSON argument's file. */
export const DIRECTORY_SETTINGS = z.object({
  port: z.int(),
  /** PEM texts. */
  certificate: z.string(),
  key: z.string(),
  /** Private key that signs identity tokens (JWK). */
  signingKey: z.looseObject({ kty: z.string() }),
  /** Keys that sign the directory's own cookies. */
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
export type DirectorySettings = z.infer<typeof DIRECTORY_SETTINGS>;

export function issuerOf({ port }: Pick<DirectorySettings, 'port'>): string {
  return `https://127.0.0.1:${port}`;
}
