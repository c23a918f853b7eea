/** A browser asks for what it proves by HTTP Basic itself, and keeps it until it is closed: there is no session. */
export const signInHere: (() => string) | null = null;
export const SIGN_OUT: string | null = null;
