import manifest from '../package.json' with { type: 'json' };

/** Version of the operator commands, which is that of the whole product. */
export const VERSION: string = manifest.version;
