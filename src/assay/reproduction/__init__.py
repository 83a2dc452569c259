"""What happened when somebody tried to obtain a published result again."""
