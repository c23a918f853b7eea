/** Written by the build from the file that GATEWAY_LICENSE_PUBLIC_KEY_FILE names; absent when sources run without a build. */
declare const BUILD_LICENSE_PUBLIC_KEY: string | undefined;

const DEVELOPMENT_PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAtC93TwBRXm9cAmVun918CFrIFFS7U3fOmuzjK1ckF1M=
-----END PUBLIC KEY-----
`;

/** The one key whose licenses this build accepts, PEM (SPKI), fixed at build time (roles-20). */
export const VENDOR_PUBLIC_KEY: string =
  typeof BUILD_LICENSE_PUBLIC_KEY === 'string' ? BUILD_LICENSE_PUBLIC_KEY : DEVELOPMENT_PUBLIC_KEY;

/** Whether the licenses this build accepts can be issued by anybody. The program announces it at every start. */
export const TRUSTS_DEVELOPMENT_LICENSES: boolean = typeof BUILD_LICENSE_PUBLIC_KEY !== 'string';
