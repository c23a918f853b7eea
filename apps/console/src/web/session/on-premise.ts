/** Where a session begins, and where it ends. */
export const SIGN_IN: string | null = '/auth/login';
export const SIGN_OUT: string | null = '/auth/logout';
