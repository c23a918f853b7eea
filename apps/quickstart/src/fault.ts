/** Something the person at the keyboard can fix: shown as it is, without a stack trace; then exit code 1. */
export class StartFault extends Error {}
