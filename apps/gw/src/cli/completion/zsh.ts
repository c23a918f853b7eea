import type { Usage } from '../command/command.ts';

interface Completed {
  readonly name: string;
  readonly about: string;
  readonly options: Usage['options'];
}

const HELP = { long: '--help', short: '-h', about: 'show this help' } as const;

/** A script for zsh: works with `source <(gw completion zsh)` and as the file `_gw` in a directory of `fpath`. */
export function zshScript(commands: readonly Completed[], session: Usage['options']): string {
  const listed = commands.map(({ name, about }) => `    ${quote(`${name}:${about}`)}\n`).join('');
  const cases = commands.map(({ name, options }) => `    ${name})\n${argumentsOf(options)}      ;;\n`).join('');
  return `#compdef gw
_gw() {
  local -a commands
  commands=(
${listed}  )
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${cases}    *)
${argumentsOf(session)}      ;;
  esac
}
if [[ $funcstack[1] == _gw ]]; then _gw "$@"; else compdef _gw gw; fi
`;
}

function argumentsOf(options: Usage['options']): string {
  const specs = [...options, HELP].map((option) => `        ${quote(specOf(option))}`);
  return `      _arguments \\\n${[...specs, "        '*:file:_files'"].join(' \\\n')}\n`;
}

/** `*--rule[add a rule]:rule:`, as _arguments reads it. */
function specOf({ long, value, repeatable, about }: Usage['options'][number]): string {
  const name = value === undefined ? '' : value.slice(1, -1);
  const taken = value === undefined ? '' : `:${name}:${/path|file/.test(name) ? '_files' : ''}`;
  return `${repeatable === true ? '*' : ''}${long}[${about.replaceAll(/[[\]\\:]/g, '\\$&')}]${taken}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
