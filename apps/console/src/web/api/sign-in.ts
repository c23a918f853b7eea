/** Addresses that start a session, returning to the current location, and that end one. */
export const signInHere = (): string => `/auth/login?to=${encodeURIComponent(location.pathname + location.hash)}`;
export const SIGN_OUT = '/auth/logout';
