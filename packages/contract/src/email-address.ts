/**
 * The form of an e-mail address: one @ with something on both sides, and no space. The address only describes a person, so that of
 * a machine (`ada@localhost`) and that of a name in any script count.
 */
export const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/;
