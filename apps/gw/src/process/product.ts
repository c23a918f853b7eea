import manifest from '../../package.json' with { type: 'json' };

/** Version of the client. */
export const VERSION: string = manifest.version;
/** The oldest Node the client runs on. */
export const LEAST_NODE = 24;
