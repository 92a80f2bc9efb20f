"""`ruse completion`: a script that lets a shell complete what is typed."""

from typing import Annotated

import typer

from ruse.cli.terminal.completing import SHELLS
from ruse.errors import RuseError

# In bash a colon and an equals sign begin a new word, so what is before them is taken off again.
BASH = r"""_ruse() {
    local line="${COMP_LINE:0:COMP_POINT}" cur reply
    local -a words
    read -ra words <<< "$line"
    [[ "$line" == *" " ]] && words+=("")
    cur="${words[-1]}"
    local stem="${cur%"${cur##*[:=]}"}"
    COMPREPLY=()
    while IFS= read -r reply; do
        [[ -n "$reply" ]] && COMPREPLY+=("${reply#"$stem"}")
    done < <(ruse complete -- "${words[@]:1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
    return 0
}
complete -o default -F _ruse ruse"""
ZSH = r"""_ruse() {
    local -a found
    found=("${(@f)$(ruse complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    [[ -n "$found" ]] && compadd -S '' -a found || _files
}
compdef _ruse ruse"""
FISH = r"""function __ruse_complete
    set -l words (commandline -opc) (commandline -ct)
    ruse complete -- $words[2..-1] 2>/dev/null
end
complete -c ruse -a '(__ruse_complete)'"""
SCRIPTS = dict(zip(SHELLS, (BASH, ZSH, FISH), strict=True))


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help=f"One of {', '.join(SHELLS)}.")] = "bash",
) -> None:
    """Print a script that completes games, fields, rules, runs and bots in your shell.

    Put its output where your shell reads it: `ruse completion bash >> ~/.bashrc`.

    Example: ruse completion bash
    """
    if shell not in SCRIPTS:
        raise RuseError(f"there is no completion for {shell!r}; there is one for {', '.join(SHELLS)}")
    print(SCRIPTS[shell])
