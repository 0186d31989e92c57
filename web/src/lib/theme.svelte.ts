// Light or dark: the system's choice, unless the reader made one of their own.

export type Choice = 'system' | 'light' | 'dark';

const dark_system = matchMedia('(prefers-color-scheme: dark)');

class Theme {
  choice = $state<Choice>((document.documentElement.dataset.theme as Choice | undefined) ?? 'system');
  system_dark = $state(dark_system.matches);
  dark = $derived(this.choice === 'dark' || (this.choice === 'system' && this.system_dark));

  constructor() {
    dark_system.addEventListener('change', () => (this.system_dark = dark_system.matches));
  }

  choose(choice: Choice) {
    this.choice = choice;
    if (choice === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    try {
      if (choice === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', choice);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }

  // To choose what the system has anyway is to follow it again.
  toggle() {
    const dark = !this.dark;
    this.choose(dark === this.system_dark ? 'system' : dark ? 'dark' : 'light');
  }
}

export const theme = new Theme();

// colour resolves a token of app.css, such as '--accent', to what it is at present. Read `theme.dark` in the same
// effect to hear of changes.
export function colour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
