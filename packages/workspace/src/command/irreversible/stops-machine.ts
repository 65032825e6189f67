/** Checks whether a program shuts down or restarts the machine. */
export function stopsMachine(name: string, texts: readonly string[]): boolean {
  const isQuestion = texts.some((text) => /^(?:-c|--help|--version|--show|-w|--wtmp-only)$/u.test(text));
  switch (name) {
    case 'shutdown':
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return !isQuestion;
    case 'init':
    case 'telinit':
      return texts[0] === '0' || texts[0] === '6';
    case 'systemctl':
    case 'loginctl':
      return texts.some((text) => /^(?:reboot|poweroff|halt|kexec|soft-reboot)$/u.test(text));
    default:
      return false;
  }
}
