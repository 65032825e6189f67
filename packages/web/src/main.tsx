import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, loadPage } from './app.tsx';
import { connectOwnHub } from './hub/connect-hub.ts';
import { HubContext } from './hub/use-hub.ts';
import { watchAhead } from './hub/watch-ahead.ts';
import { NoticesProvider } from './parts/notices.tsx';
import { LanguageProvider, loadTexts } from './text/language.tsx';
import { showTheme } from './theme/theme.ts';
import './theme/tokens.css';
import './theme/base.css';

showTheme();
const root = document.getElementById('root');
if (root !== null) {
  const hub = connectOwnHub();
  watchAhead(hub, location.pathname);
  loadPage(location.pathname);
  void loadTexts();
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <HubContext value={hub}>
          <NoticesProvider>
            <App />
          </NoticesProvider>
        </HubContext>
      </LanguageProvider>
    </StrictMode>,
  );
}
