/*
 * The OTF2 library asks for the host's id with each archive, and the C library asks the network for
 * it where no file has the host's name. What is written does not depend on it: the program answers.
 */
__attribute__((visibility("default"))) long gethostid(void);
long gethostid(void)
{
    return 0;
}
