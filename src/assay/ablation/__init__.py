"""How far each choice that was not reported moves a result, next to how far chance alone moves it."""
