import { createContext, use, useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { en, type Texts } from './en.ts';

/** A language of the interface, by its tag (BCP 47). */
export type Language = 'en' | 'zh-CN';

/** All of them, each by the name it gives itself. */
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh-CN', name: '简体中文' },
];

interface Speech {
  readonly language: Language;
  readonly texts: Texts;
  readonly choose: (language: Language) => void;
}

const SpeechContext = createContext<Speech>({ language: 'en', texts: en, choose: () => {} });

/** The texts of the chosen language. */
export function useText(): Texts {
  return use(SpeechContext).texts;
}

/** The chosen language, and how another one is chosen. */
export function useLanguage(): Pick<Speech, 'language' | 'choose'> {
  return use(SpeechContext);
}

/** Speaks the language that was chosen in this browser, else the browser's own. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactElement | null {
  const [wanted, setWanted] = useState(readLanguage);
  const [spoken, setSpoken] = useState<{ readonly language: Language; readonly texts: Texts }>();
  useEffect(() => {
    let isWanted = true;
    void loadTexts(wanted).then((texts) => {
      if (!isWanted) return;
      document.documentElement.lang = wanted;
      setSpoken({ language: wanted, texts });
    });
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  const speech = useMemo(
    () =>
      spoken && {
        ...spoken,
        choose: (language: Language) => {
          localStorage.setItem(name, language);
          setWanted(language);
        },
      },
    [spoken],
  );
  return speech === undefined ? null : <SpeechContext value={speech}>{children}</SpeechContext>;
}

const name = 'parley-language';

function readLanguage(): Language {
  const kept = localStorage.getItem(name);
  const wanted = kept === null ? navigator.languages : [kept];
  for (const tag of wanted) {
    const [first] = tag.toLowerCase().split('-');
    if (first === 'zh') return 'zh-CN';
    if (first === 'en') return 'en';
  }
  return 'en';
}

/** English is there at once; it is also what counts where another one cannot be loaded. */
async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return en;
  try {
    return (await import('./zh-cn.ts')).zhCn;
  } catch {
    return en;
  }
}
