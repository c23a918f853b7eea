import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep tokens of package registries. */
const SECRETS = [
  [
    'an .npmrc file',
    `@acme:registry=https://npm.acme.io/
//registry.npmjs.org/:_authToken=«npmrc-token npm_[A-Za-z0-9]{36}»
//npm.acme.io/:_authToken=«npm-uuid-token {uuid}»
always-auth=true
`,
  ],
  [
    'an .npmrc file of a registry that has tokens of another form',
    '//npm.acme.io/:_authToken=«npmrc-token [A-Za-z0-9+/]{44}==»\n',
  ],
  ['an .npmrc file of Nexus', '//nexus.acme.io/repository/npm/:_authToken=NpmToken.«nexus-npm-token {uuid}»\n'],
  [
    'a .pypirc file',
    `[pypi]
username = __token__
password = «pypi-token pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{130}»
[testpypi]
username = __token__
password = «pypi-token pypi-AgENdGVzdC5weXBpLm9yZ[A-Za-z0-9_-]{130}»
`,
  ],
  ['an upload of a package', 'twine upload -u __token__ -p «pypi-token pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{130}» dist/*'],
  ['credentials of RubyGems', '---\n:rubygems_api_key: «rubygems-token rubygems_[a-f0-9]{48}»\n'],
  [
    'a push of a NuGet package',
    'dotnet nuget push Acme.1.0.0.nupkg --api-key «nuget-key oy2[a-z0-9]{43}» --source https://api.nuget.org/v3/index.json',
  ],
  ['credentials of Cargo', '[registry]\ntoken = "«crates-token cio[A-Za-z0-9]{32}»"\n'],
  [
    'credentials of Composer',
    '{"http-basic":{"repo.packagist.com":{"username":"token","password":"«packagist-token packagist_ort_[a-f0-9]{68}»"}}}',
  ],
  [
    'a Maven settings file',
    `<server>
  <id>clojars</id>
  <username>acme</username>
  <password>«clojars-token CLOJARS_[a-z0-9]{60}»</password>
</server>`,
  ],
  ['a publication to JSR', 'npx jsr publish --token «jsr-token jsrp_[A-Za-z0-9]{36}»'],
  ['a deployment with Deno', 'DENO_DEPLOY_TOKEN=«jsr-token ddp_[A-Za-z0-9]{36}» deployctl deploy'],
  [
    'an upload to Cloudsmith',
    'cloudsmith push python acme/main dist/x.whl -k «cloudsmith-key csa_[a-f0-9]{30}[A-Za-z0-9]{6}»',
  ],
] as const;

const NONE = [
  [
    'a lock file of npm',
    '"resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz",\n"integrity": "sha512-«- [A-Za-z0-9+/]{86}»=="',
  ],
  ['a lock file of yarn', 'ms@^2.1.1:\n  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#«- [a-f0-9]{40}»"'],
  [
    'a lock file of pip',
    'requests==2.32.3 \\\n    --hash=sha256:«- [a-f0-9]{64}» \\\n    --hash=sha256:«- [a-f0-9]{64}»',
  ],
  ['a lock file of Cargo', 'name = "secrecy"\nchecksum = "«- [a-f0-9]{64}»"'],
  ['a sum file of Go', 'github.com/acme/token v1.2.3 h1:«- [A-Za-z0-9+/]{43}»='],
  ['a lock file of Composer', '"reference": "«- [a-f0-9]{40}»",\n"content-hash": "«- [a-f0-9]{32}»"'],
  ['a lock file of Nix', '"narHash": "sha256-«- [A-Za-z0-9+/]{43}»=",\n"rev": "«- [a-f0-9]{40}»"'],
  ['a variable in an .npmrc file', '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n//npm.acme.io/:_authToken=$TOKEN\n'],
  ['names of packages', 'npm_config_registry npm_package_dependencies_typescript npm_lifecycle_event'],
  [
    'the identity of a strong name',
    'System.Text.Json, Version=9.0.0.0, Culture=neutral, PublicKeyToken=«- [a-f0-9]{16}»',
  ],
] as const;

describe('tokens of package registries', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
