/** Exit codes of every command (client-1). */
export const EXIT = {
  done: 0,
  /** The run failed: engine, network, tool machinery, limit of steps. */
  failed: 1,
  wrongUsage: 2,
  /** Done, but a tool that the model asked for was denied. */
  denied: 3,
  /** The gateway refused: 401, 402, 403. */
  refused: 4,
  interrupted: 130,
} as const;
