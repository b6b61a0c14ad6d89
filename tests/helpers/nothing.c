/* nothing: exits.  The least that a program can be, as a floor. */
int
main(void)
{
	return 0;
}
