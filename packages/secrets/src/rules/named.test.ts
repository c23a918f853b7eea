import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Keys without a form of their own: the rule, the name that tells it in capitals, and the key. */
const KEYS = [
  ['aws-secret-key', 'AWS_SECRET_ACCESS_KEY', '[A-Za-z0-9+/]{40}'],
  ['datadog-key', 'DATADOG_API_KEY', '[a-f0-9]{32}'],
  ['cloudflare-key', 'CLOUDFLARE_API_TOKEN', '[A-Za-z0-9_-]{40}'],
  ['snyk-token', 'SNYK_TOKEN', '{uuid}'],
  ['algolia-key', 'ALGOLIA_ADMIN_KEY', '[a-f0-9]{32}'],
  ['fastly-key', 'FASTLY_API_TOKEN', '[A-Za-z0-9_-]{32}'],
  ['azure-devops-legacy-token', 'AZURE_DEVOPS_TOKEN', '[a-z2-7]{52}'],
  ['consul-token', 'CONSUL_HTTP_TOKEN', '{uuid}'],
  ['zhipu-key', 'ZHIPU_API_KEY', '[a-f0-9]{32}.[A-Za-z0-9]{16}'],
  ['pusher-secret', 'PUSHER_APP_SECRET', '[a-f0-9]{20}'],
] as const;

const camel = (name: string): string =>
  name.toLowerCase().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** How a name and its value are written, `§` for the value. */
const NOTATIONS: readonly (readonly [string, (name: string) => string])[] = [
  ['an environment file', (name) => `A=1\n${name}=§\nB=2\n`],
  ['an environment file with quotes', (name) => `${name}="§"\n`],
  ['a shell', (name) => `export ${name}='§' && ./deploy.sh`],
  ['a command with a variable', (name) => `${name}=§ npm run deploy`],
  ['PowerShell', (name) => `$env:${name} = "§"`],
  ['a Windows batch file', (name) => `set ${name}=§\r\ncall deploy.cmd\r\n`],
  ['a Dockerfile', (name) => `FROM node:24\nENV ${name}=§\nRUN npm ci\n`],
  ['an argument of docker', (name) => `docker run --rm -e ${name}=§ acme/api:1.2`],
  ['YAML', (name) => `service:\n  ${name.toLowerCase()}: §\n  port: 8080\n`],
  ['YAML with quotes', (name) => `  ${camel(name)}: '§' # production\n`],
  ['a list of a compose file', (name) => `    environment:\n      - ${name}=§\n      - PORT=1\n`],
  ['a manifest of Kubernetes', (name) => `env:\n- name: ${name}\n  value: "§"\n- name: PORT\n  value: "1"\n`],
  ['JSON', (name) => `{"port":1,"${camel(name)}":"§","debug":false}`],
  ['JSON with indentation', (name) => `{\n  "${name}": "§",\n  "PORT": "1"\n}`],
  ['JSON within a string', (name) => `{"body":"{\\"${camel(name)}\\":\\"§\\"}"}`],
  ['TOML', (name) => `[service]\n${name.toLowerCase()} = "§"\n`],
  ['properties of Java', (name) => `spring.shop.${kebab(name)}=§\n`],
  ['JavaScript', (name) => `const ${camel(name)} = '§';\n`],
  ['a member of an object', (name) => `  ${camel(name)}: "§",\n`],
  ['a default of JavaScript', (name) => `const key = process.env.${name} ?? '§';`],
  ['Python', (name) => `${name} = "§"  # noqa`],
  ['a default of Python', (name) => `key = os.getenv("${name}", "§")`],
  ['an argument of Python', (name) => `client = Client(${name.toLowerCase()}="§", timeout=3)`],
  ['PHP', (name) => `define('${name}', '§');`],
  ['an array of PHP', (name) => `'${name.toLowerCase()}' => '§',`],
  ['Ruby', (name) => `ENV['${name}'] = '§'`],
  ['Go', (name) => `const ${camel(name)} = "§"\n`],
  ['a call of Go', (name) => `os.Setenv("${name}", "§")`],
  ['C#', (name) => `private const string ${camel(name)} = "§";`],
  ['C', (name) => `#define ${name} "§"\n`],
  ['Rust', (name) => `const ${name}: &str = "§";`],
  ['Kotlin', (name) => `val ${camel(name)}: String = "§"`],
  ['XML', (name) => `<${camel(name)}>§</${camel(name)}>`],
  ['application settings of .NET', (name) => `<add key="${name}" value="§" />`],
  ['an option', (name) => `deploy --${kebab(name)} § --verbose`],
  ['an option with a sign', (name) => `deploy --${kebab(name)}=§ --verbose`],
  ['values for Helm', (name) => `helm upgrade api . --set ${camel(name)}=§ --wait`],
  ['Terraform', (name) => `variable "${name.toLowerCase()}" {\n  default = "§"\n}\n`],
  ['a table of Markdown', (name) => `| Name | Value |\n| --- | --- |\n| ${name} | §  |\n`],
  ['Markdown with code', (name) => `- \`${name}\`: \`§\`\n`],
  ['a difference', (name) => `-${name}=\n+${name}=§\n`],
  ['a log', (name) => `2026-01-02T10:11:12Z DEBUG config ${name}=§ loaded`],
  ['a parameter of an address', (name) => `https://api.acme.io/v1?${name.toLowerCase()}=§&page=2`],
];

describe.each(KEYS)('a key of the rule %s', (rule, name, form) => {
  it.each(NOTATIONS)('is found and masked in %s', (_, notation) => {
    const document = written(notation(name).replace('§', `«${rule} ${form}»`));
    expect(read(document.text)).toEqual(document);
  });

  it.each([
    ['a variable', (text: string) => text.replace('§', '${SECRET_VALUE}')],
    ['a template', (text: string) => text.replace('§', '{{ .Values.secret }}')],
    ['a description', (text: string) => text.replace('§', '<your key here>')],
    ['nothing', (text: string) => text.replace('§', '')],
  ])('is not suspected where its place holds %s', (_, fill) => {
    for (const [, notation] of NOTATIONS) {
      const text = fill(notation(name));
      expect(read(text)).toEqual({ text, secrets: [], masked: text });
    }
  });
});

describe('a value of the same form is none', () => {
  it.each([
    ['the identifier of an application', 'DATADOG_APPLICATION_ID=«- [a-f0-9]{32}»'],
    ['a commit', 'github_sha=«- [a-f0-9]{40}»'],
    ['a revision', 'heroku_release_version: «- {uuid}»'],
    ['a digest', 'ALGOLIA_INDEX_HASH=«- [a-f0-9]{32}»'],
    ['the tag of an image', 'docker pull registry.acme.io/snyk/consul:«- [a-f0-9]{40}»'],
    ['an address', 'consul_url: https://consul.acme.io/v1/kv/«- {uuid}»'],
    ['an organization', 'SNYK_ORG=«- {uuid}» snyk test --severity-threshold=high'],
    ['a project and an environment', 'RAILWAY_PROJECT=«- {uuid}»\nRAILWAY_ENVIRONMENT=«- {uuid}»'],
    ['an application', 'heroku_app = "«- {uuid}»"'],
    ['a tree', '{"github_tree":"«- [a-f0-9]{40}»","githubBlob":"«- [a-f0-9]{40}»"}'],
    ['a run', 'wandb_run: «- [a-f0-9]{40}»'],
    ['an index', '{"splunkIndex":"«- {uuid}»"}'],
    ['a longer word', '{"consultation":"«- {uuid}»"}'],
    ['another longer word', 'consultant = "«- {uuid}»"'],
    ['another line', 'DATADOG_SITE=datadoghq.eu\n\n«- [a-f0-9]{32}»\n'],
    ['a row of one digit', 'PUSHER_APP_SECRET=00000000000000000000'],
  ])('%s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
