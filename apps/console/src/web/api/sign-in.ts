/** Where a session begins that leads back to where one is, and where a session ends. */
export const signInHere = (): string => `/auth/login?to=${encodeURIComponent(location.pathname + location.hash)}`;
export const SIGN_OUT = '/auth/logout';
