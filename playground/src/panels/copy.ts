// Copies a text, and says on the button whether that worked.

const SHOWN = 1_500;

/** Copies; the button says so for a moment. */
export async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN);
}
