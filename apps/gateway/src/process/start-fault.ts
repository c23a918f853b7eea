/** What keeps the gateway from starting: one line an operator can act on, never a secret, never a stack. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault';
}
