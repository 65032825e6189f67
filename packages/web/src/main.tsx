import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connectOwnDesk } from './desk/connect-desk.ts';
import { DeskContext } from './desk/use-desk.ts';
import { NoticesProvider } from './parts/notices.tsx';
import { LanguageProvider } from './text/language.tsx';
import { showTheme } from './theme/theme.ts';
import './theme/tokens.css';
import './theme/base.css';

showTheme();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <DeskContext value={connectOwnDesk()}>
          <NoticesProvider>
            <App />
          </NoticesProvider>
        </DeskContext>
      </LanguageProvider>
    </StrictMode>,
  );
}
