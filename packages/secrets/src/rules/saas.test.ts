import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep tokens of the other services that a team buys, and of sign-ins. */
const SECRETS = [
  ['a client of Notion', 'const notion = new Client({ auth: "«notion-token ntn_[0-9]{11}[A-Za-z0-9]{35}»" });'],
  ['a client of Airtable', "Airtable.configure({ apiKey: '«airtable-token pat[A-Za-z0-9]{14}.[a-f0-9]{64}»' });"],
  [
    'servers of the Model Context Protocol',
    '{"mcpServers":{"linear":{"env":{"LINEAR_API_KEY":"«linear-key lin_api_[A-Za-z0-9]{40}»"}},"figma":{"args":["--figma-api-key=«figma-token figd_[A-Za-z0-9_-]{40}»"]}}}',
  ],
  ['settings of Contentful', 'CONTENTFUL_MANAGEMENT_TOKEN=«contentful-token CFPAT-[A-Za-z0-9_-]{43}»'],
  [
    'a call of Dropbox',
    'curl -H "Authorization: Bearer «bearer-authorization sl.u.[A-Za-z0-9_-]{160}»" https://api.dropboxapi.com/2/users/get_current_account',
  ],
  ['a map', "mapboxgl.accessToken = '«mapbox-token sk.eyJ[A-Za-z0-9_-]{80}.[A-Za-z0-9_-]{22}»';"],
  [
    'settings of MaxMind',
    'AccountID 123456\nLicenseKey «maxmind-license-key [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk»\nEditionIDs GeoLite2-City\n',
  ],
  [
    'a webhook of Zapier',
    'fetch("https://hooks.zapier.com/hooks/catch/«zapier-webhook [0-9]{8}/[a-z0-9]{7}»/", { method: "POST" })',
  ],
  [
    'an address of a node of Ethereum',
    'RPC_URL=https://eth-mainnet.g.alchemy.com/v2/«node-provider-key [A-Za-z0-9_-]{32}»\nINFURA=https://mainnet.infura.io/v3/«node-provider-key [a-f0-9]{32}»',
  ],
  ['a chat bot of Twitch', 'PASS oauth:«twitch-token [a-z0-9]{30}»\nNICK bot'],
  [
    'alerts of Opsgenie',
    'curl -H "Authorization: GenieKey «opsgenie-uuid-key {uuid}»" https://api.opsgenie.com/v2/alerts',
  ],
  ['a login of Tableau', 'tsc = TableauAuth("ci", "«tableau-token [A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}»", "acme")'],
  ['the file of Wakatime', '[settings]\napi_key = «wakatime-key waka_{uuid}»\n'],
  [
    'a refresh token of Google',
    '{"type":"authorized_user","refresh_token":"«google-refresh-token 1//0[A-Za-z0-9_-]{96}»"}',
  ],
  [
    'a message of a telephone',
    'registration_id=«firebase-server-key [A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{134}»&data=1',
  ],
  ['a wallet', 'seed backup: «extended-private-key xprv[1-9A-HJ-NP-Za-km-z]{107}»'],
  ['a key of a game', 'headers={"X-Riot-Token": "«riot-key RGAPI-{uuid}»"}'],
] as const;

const NONE = [
  [
    'addresses of pages',
    'https://www.notion.so/acme/Roadmap-«- [a-f0-9]{32}» https://www.figma.com/file/«- [A-Za-z0-9]{22}»/Design',
  ],
  ['identifiers of bases', 'app«- [A-Za-z0-9]{14}»/tbl«- [A-Za-z0-9]{14}»/rec«- [A-Za-z0-9]{14}»'],
  ['a public token of a map', "mapboxgl.accessToken = 'pk.eyJ1IjoiYWNtZSJ9.«- [A-Za-z0-9_-]{22}»';"],
  ['an extended public key', 'xpub«- [1-9A-HJ-NP-Za-km-z]{107}»'],
  ['addresses of a chain', '0x«- [a-f0-9]{40}» sent in 0x«- [a-f0-9]{64}»'],
  ['a template', 'NOTION_TOKEN=secret_xxx\nLINEAR_API_KEY=lin_api_***\nFIGMA_TOKEN=figd_your_token'],
  ['a patch', 'patches/react-native-reanimated@3.16.1.patch and patternMatchingAlgorithmForDocuments.test.ts'],
  ['names of slots', 'sl.table.prerelease.configuration sk.locale.translations oauth:authorization-code-grant'],
] as const;

describe('tokens of other services', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
