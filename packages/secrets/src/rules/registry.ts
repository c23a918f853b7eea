import type { TokenRule } from './rule.ts';

/** Package registries. */
export const REGISTRY_RULES: readonly TokenRule[] = [
  {
    id: 'npm-token',
    title: 'npm token',
    kind: 'access-token',
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    wrapped: true,
    forms: ['npm_[A-Za-z0-9]{36}'],
    checksum: 'crc32-base62',
  },
  {
    id: 'registry-configuration',
    title: 'Container registry credentials in base64',
    kind: 'infra-key',
    source: 'https://kubernetes.io/docs/concepts/configuration/secret/#docker-config-secrets',
    // `{"auths":{"…`, as programs write it and with each usual indentation
    forms: [
      'eyJhdXRocyI6ey[A-Za-z0-9+/=]{60,8000}',
      'eyJhdXRocyI6IHsi[A-Za-z0-9+/=]{60,8000}',
      'ewoJImF1dGhzIjogewoJCS[A-Za-z0-9+/=]{60,8000}',
      'ewogICJhdXRocyI6IHsKICAgIC[A-Za-z0-9+/=]{60,8000}',
      'ewogICAgImF1dGhzIjogewogICAgICAgIC[A-Za-z0-9+/=]{60,8000}',
    ],
  },
  {
    id: 'pypi-token',
    title: 'PyPI token',
    kind: 'access-token',
    source: 'https://pypi.org/help/#apitoken',
    forms: ['pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,400}', 'pypi-AgENdGVzdC5weXBpLm9yZ[A-Za-z0-9_-]{50,400}'],
  },
  {
    id: 'rubygems-token',
    title: 'RubyGems API key',
    kind: 'access-token',
    source: 'https://guides.rubygems.org/api-key-scopes/',
    forms: ['rubygems_[a-f0-9]{48}'],
  },
  {
    id: 'nuget-key',
    title: 'NuGet API key',
    kind: 'access-token',
    source: 'https://learn.microsoft.com/en-us/nuget/nuget-org/scoped-api-keys',
    forms: ['oy2[a-z0-9]{43}'],
  },
  {
    id: 'crates-token',
    title: 'crates.io token',
    kind: 'access-token',
    source: 'https://doc.rust-lang.org/cargo/reference/publishing.html',
    forms: ['cio[A-Za-z0-9]{32}'],
  },
  {
    id: 'clojars-token',
    title: 'Clojars token',
    kind: 'access-token',
    source: 'https://github.com/clojars/clojars-web/wiki/Deploy-Tokens',
    forms: ['CLOJARS_[a-z0-9]{60}'],
  },
  {
    id: 'packagist-token',
    title: 'Packagist token',
    kind: 'access-token',
    source: 'https://packagist.com/docs/composer-authentication',
    forms: [
      'packagist_ort_[a-f0-9]{68}',
      'packagist_uut_[a-f0-9]{68}',
      'packagist_out_[a-f0-9]{68}',
      'packagist_prt_[a-f0-9]{68}',
    ],
  },
  {
    id: 'jsr-token',
    title: 'JSR or Deno Deploy token',
    kind: 'access-token',
    source: 'https://docs.deno.com/deploy/manual/deployctl/',
    forms: [
      'jsrp_[A-Za-z0-9]{36}',
      'jsrd_[A-Za-z0-9]{36}',
      'ddp_[A-Za-z0-9]{36}',
      'ddw_[A-Za-z0-9]{36}',
      'ddo_[A-Za-z0-9]{36}',
    ],
  },
  {
    id: 'gemfury-token',
    title: 'Gemfury token',
    kind: 'access-token',
    source: 'https://gemfury.com/help/tokens/',
    forms: ['fury_[A-Za-z0-9_-]{24,40}'],
  },
  {
    id: 'thunderstore-token',
    title: 'Thunderstore token',
    kind: 'access-token',
    source: 'https://thunderstore.io/api/docs/',
    forms: ['tss_[A-Za-z0-9]{32}'],
  },
  {
    id: 'anaconda-token',
    title: 'Anaconda.org token',
    kind: 'access-token',
    source: 'https://docs.anaconda.com/anacondaorg/user-guide/tasks/work-with-accounts/',
    forms: ['an-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  },
];
