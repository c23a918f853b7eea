/** A part commands need that this host does not have: the gateway refuses to start, never a weaker sandbox in silence. */
export class MissingPart extends Error {}
