/** An error that the user can fix: shown without a stack trace; then exit code 1. */
export class StartFault extends Error {}
